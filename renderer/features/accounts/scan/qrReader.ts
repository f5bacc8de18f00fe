/** Reads the QR codes of a camera's picture and of a file. Its WebAssembly is a file of the page. */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** A picture is drawn with a longer side of this many pixels at least: a code may have one pixel for each module. */
const LEAST_SIDE = 800;
/** A longer side than this costs time, and shows no code that a smaller picture does not. */
const MOST_SIDE = 2400;
/** White around a picture, in pixels: a code that is cut out closely lacks the margin by which it is found. */
const MARGIN = 32;

/** Loads the decoder. @throws if its file cannot be loaded; the next call tries again. */
export async function loadReader(): Promise<void> {
  await prepareZXingModule({
    // By default, it comes from another host. Each call gives a function of its own, without which a failure is kept.
    overrides: { locateFile: (): string => wasmAddress },
    fireImmediately: true,
  });
}

const canvas = document.createElement('canvas');

/** The texts of the QR codes in a picture that `draw` draws on a canvas of this size, in pixels. */
async function codesOf(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<string[]> {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return [];
  draw(context);
  const codes = await readBarcodes(context.getImageData(0, 0, width, height), { formats: ['QRCode'] });
  return codes.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/** The texts of the QR codes that a camera shows now; none before its first picture. */
export async function codesOfVideo(video: HTMLVideoElement): Promise<string[]> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return [];
  return codesOf(width, height, (context) => context.drawImage(video, 0, 0));
}

/** The texts of the QR codes in a picture. @throws {DOMException} if the browser cannot show the file as a picture. */
export async function codesOfPicture(file: Blob): Promise<string[]> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    // Some browsers give a drawing without a size no pixels.
    const [width, height] = [image.naturalWidth || LEAST_SIDE, image.naturalHeight || LEAST_SIDE];
    const side = Math.max(width, height);
    const scale = Math.min(Math.max(side, LEAST_SIDE), MOST_SIDE) / side;
    const [drawnWidth, drawnHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)];
    return await codesOf(drawnWidth + 2 * MARGIN, drawnHeight + 2 * MARGIN, (context) => {
      context.fillStyle = 'white';
      context.fillRect(0, 0, canvas.width, canvas.height);
      // The edges of modules stay sharp.
      context.imageSmoothingEnabled = scale < 1;
      context.drawImage(image, MARGIN, MARGIN, drawnWidth, drawnHeight);
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
