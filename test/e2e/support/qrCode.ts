/** Reads the QR codes of a picture, as the camera of a phone does. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

let isPrepared = false;

/**
 * The texts of the QR codes in a PNG. A code with light modules on a dark ground is not read: many cameras do not read it
 * either.
 */
export async function readQrCodes(picture: Uint8Array<ArrayBuffer>): Promise<string[]> {
  if (!isPrepared) {
    // By default, the reader loads its WebAssembly from the network.
    const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(file)).buffer } });
    isPrepared = true;
  }
  const codes = await readBarcodes(picture, { formats: ['QRCode'], tryInvert: false });
  return codes.map(({ text }) => text);
}
