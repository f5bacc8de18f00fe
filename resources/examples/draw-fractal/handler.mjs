import { setImmediate as turn } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';

/** The colours from the outermost points to those next to the set, which itself is black. */
const GRADIENT = [
  [4, 8, 32],
  [16, 42, 110],
  [38, 118, 190],
  [150, 214, 232],
  [255, 246, 214],
  [250, 178, 60],
  [168, 60, 24],
  [40, 8, 24],
];
const INSIDE = 255;
/** Each pixel is the mean of so many points in both directions, so that edges are smooth. */
const POINTS = 2;

/** Draws a part of the Mandelbrot set: texts tell how far it is, and the last chunk is the picture. */
export default async function* handler(job, { signal }) {
  const view = readInput(job.input);
  const { width, height, iterations } = view;
  const values = new Float32Array(width * height);
  let told = 0;
  yield `Drawing ${width} × ${height} pixels:`;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) values[row * width + column] = pixel(view, column, row);
    const percent = Math.floor(((row + 1) / height) * 5) * 20;
    if (percent === told) continue;
    told = percent;
    yield ` ${percent}%`;
    // Lets a cancel in; it ends the handler here.
    await turn(undefined, { signal });
  }
  const png = encodePng(width, height, colour(values, iterations));
  yield { image: `data:image/png;base64,${png.toString('base64')}` };
}

function readInput({ x = -0.7614, y = -0.08478, zoom = 900, width = 600, iterations = 500 }) {
  const number = (name, value, least, most, whole) => {
    if (Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value))) return;
    throw new RangeError(`input.${name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`);
  };
  number('x', x, -2, 2, false);
  number('y', y, -2, 2, false);
  number('zoom', zoom, 1, 1_000_000, false);
  number('width', width, 16, 1024, true);
  number('iterations', iterations, 10, 10_000, true);
  const height = Math.round((width * 2) / 3);
  return { x, y, iterations, width, height, step: 3.6 / zoom / width };
}

function pixel({ x, y, iterations, width, height, step }, column, row) {
  let sum = 0;
  for (let point = 0; point < POINTS * POINTS; point += 1) {
    const right = column + ((point % POINTS) + 0.5) / POINTS - width / 2;
    const down = row + (Math.floor(point / POINTS) + 0.5) / POINTS - height / 2;
    sum += escape(x + right * step, y - down * step, iterations);
  }
  return sum / (POINTS * POINTS);
}

/** After how many steps the point leaves the circle around the set, with a fraction; `iterations` if it never does. */
function escape(cx, cy, iterations) {
  let x = 0;
  let y = 0;
  for (let step = 0; step < iterations; step += 1) {
    const xx = x * x;
    const yy = y * y;
    if (xx + yy > 256) return Math.max(0, step + 1 - Math.log2(Math.log2(xx + yy) / 2));
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  return iterations;
}

/** One byte a pixel: all colours of the gradient are on about as many pixels, at whatever zoom. */
function colour(values, iterations) {
  const outside = values.filter((value) => value < iterations).sort();
  const bounds = Array.from({ length: INSIDE }, (_, at) => outside[Math.floor((at / INSIDE) * outside.length)]);
  return Uint8Array.from(values, (value) => {
    if (value >= iterations) return INSIDE;
    let [low, high] = [0, INSIDE - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (bounds[middle] <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  });
}

/** A PNG with a palette. */
function encodePng(width, height, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const chunk = (name, data) => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', palette()),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

function palette() {
  const colours = Buffer.alloc(256 * 3);
  for (let at = 0; at < INSIDE; at += 1) {
    const place = (at / (INSIDE - 1)) * (GRADIENT.length - 1);
    const before = Math.min(Math.floor(place), GRADIENT.length - 2);
    for (let part = 0; part < 3; part += 1) {
      const [from, to] = [GRADIENT[before][part], GRADIENT[before + 1][part]];
      colours[at * 3 + part] = Math.round(from + (to - from) * (place - before));
    }
  }
  return colours;
}
