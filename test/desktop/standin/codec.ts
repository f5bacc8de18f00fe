/** Structured clones as JSON, for messages that cross between this process and a page. */

export interface Codec {
  encode(value: unknown): unknown;
  decode(text: unknown): unknown;
}

/** Self-contained: its source is also evaluated in the isolated world of every page. */
export function createCodec(): Codec {
  const toBase64 = (bytes: Uint8Array): string => {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let index = 0; index < raw.length; index++) bytes[index] = raw.charCodeAt(index);
    return bytes;
  };

  // Every array in the encoded form starts with a tag, so that a plain array cannot be taken for one.
  const encode = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (value === undefined) return ['undefined'];
    if (typeof value === 'number') return Number.isFinite(value) ? value : ['number', String(value)];
    if (typeof value === 'bigint') return ['bigint', String(value)];
    if (typeof value !== 'object') throw new Error(`${String(value)} could not be cloned.`);
    if (Array.isArray(value)) return ['array', ...value.map(encode)];
    if (value instanceof Date) return ['date', value.getTime()];
    if (value instanceof ArrayBuffer) return ['buffer', toBase64(new Uint8Array(value))];
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength } = value;
      return ['bytes', toBase64(new Uint8Array(buffer, byteOffset, byteLength))];
    }
    if (value instanceof Map) return ['map', ...[...value].map(encode)];
    if (value instanceof Set) return ['set', ...[...value].map(encode)];
    if (value instanceof Error) return ['error', value.name, value.message];
    return ['object', ...Object.entries(value).map(([key, item]) => [key, encode(item)])];
  };

  const decode = (coded: unknown): unknown => {
    if (!Array.isArray(coded)) return coded;
    const [tag, ...rest] = coded as [string, ...unknown[]];
    switch (tag) {
      case 'undefined':
        return undefined;
      case 'number':
        return Number(rest[0]);
      case 'bigint':
        return BigInt(rest[0] as string);
      case 'array':
        return rest.map(decode);
      case 'date':
        return new Date(rest[0] as number);
      case 'buffer':
        return fromBase64(rest[0] as string).buffer;
      case 'bytes':
        return fromBase64(rest[0] as string);
      case 'map':
        return new Map(rest.map(decode) as [unknown, unknown][]);
      case 'set':
        return new Set(rest.map(decode));
      case 'error':
        return Object.assign(new Error(rest[1] as string), { name: rest[0] });
      default:
        return Object.fromEntries((rest as [string, unknown][]).map(([key, item]) => [key, decode(item)]));
    }
  };
  return { encode, decode };
}
