/** Makes the icons of every system and size from one drawing, resources/icon.svg. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { root } from '../run24.mjs';

/** Widths in pixels of the icons of a Linux desktop, each a file. */
export const LINUX_SIZES = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];
/** Widths of the pictures in the one file of Windows. */
export const WINDOWS_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256];
/** Kind → width of the pictures in the one file of macOS; a kind names a size and a density. */
export const MAC_KINDS = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['icp6', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
]);

/** @returns {Buffer} A picture of this width, as PNG. */
const draw = (/** @type {string} */ svg, /** @type {number} */ width) =>
  new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } }).render().asPng();

/** An .ico file: a list of places, then the pictures. */
function ico(/** @type {{ width: number, png: Buffer }[]} */ pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [index, { width, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    head.writeUInt8(width % 256, entry);
    head.writeUInt8(width % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** An .icns file: one block for each kind, with its length in front. */
function icns(/** @type {{ kind: string, png: Buffer }[]} */ pictures) {
  const blocks = pictures.map(({ kind, png }) => {
    const head = Buffer.alloc(8);
    head.write(kind, 'ascii');
    head.writeUInt32BE(png.length + 8, 4);
    return Buffer.concat([head, png]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'ascii');
  head.writeUInt32BE(8 + blocks.reduce((sum, block) => sum + block.length, 0), 4);
  return Buffer.concat([head, ...blocks]);
}

/** Writes `icon.ico`, `icon.icns` and `icons/<size>x<size>.png` into `folder`. */
export function writeIcons(/** @type {string} */ folder) {
  const svg = readFileSync(join(root, 'resources', 'icon.svg'), 'utf8');
  /** @type {Map<number, Buffer>} */
  const drawn = new Map();
  const at = (/** @type {number} */ width) => {
    const png = drawn.get(width) ?? draw(svg, width);
    drawn.set(width, png);
    return png;
  };
  mkdirSync(join(folder, 'icons'), { recursive: true });
  for (const size of LINUX_SIZES) writeFileSync(join(folder, 'icons', `${size}x${size}.png`), at(size));
  writeFileSync(join(folder, 'icon.ico'), ico(WINDOWS_SIZES.map((width) => ({ width, png: at(width) }))));
  writeFileSync(join(folder, 'icon.icns'), icns(MAC_KINDS.map(([kind, width]) => ({ kind, png: at(width) }))));
}
