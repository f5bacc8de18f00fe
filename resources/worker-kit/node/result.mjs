/** What a handler returned, yielded or threw, as the JSON text the worker protocol wants. */
import os from 'node:os';
import { withoutOwnFrames } from './frames.mjs';

/** JSON text of a handler's value; nothing at all is null. Throws an Error that says what cannot be sent. */
export function toJson(value, what) {
  if (value === undefined) return 'null';
  let text;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new TypeError(`${what} cannot be sent as JSON: ${error.message}`, { cause: error });
  }
  if (text === undefined) throw new TypeError(`${what} cannot be sent as JSON: it is a ${typeof value}.`);
  return text;
}

const isPlainObject = (value) => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Whether the handler reports a failure of its own by `{ error: … }`. */
export const reportsError = (value) => isPlainObject(value) && Boolean(value.error);

/** The body of a result. `error` and `refresh_worker` of a returned object go to the top level, as the public SDK does it. */
export function resultBody(value) {
  if (!isPlainObject(value) || !('error' in value || 'refresh_worker' in value)) {
    return `{"output":${toJson(value, 'The result')}}`;
  }
  const { error, refresh_worker: refresh, ...rest } = value;
  const fields = [];
  if (Object.keys(rest).length > 0 || !error) fields.push(`"output":${toJson(rest, 'The result')}`);
  if (error) fields.push(`"error":${JSON.stringify(typeof error === 'string' ? error : toJson(error, 'The error'))}`);
  if (refresh) fields.push('"stopPod":true');
  return `{${fields.join(',')}}`;
}

/** The body that says how a handler failed; lines of our own are left out of its stack. */
export function errorBody(thrown, workerId) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return JSON.stringify({
    error: JSON.stringify({
      error_type: error.name,
      error_message: error.message,
      error_traceback: withoutOwnFrames(error.stack ?? ''),
      hostname: os.hostname(),
      worker_id: workerId,
    }),
  });
}
