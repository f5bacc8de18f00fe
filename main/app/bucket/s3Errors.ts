/** Turns refusals of an S3-compatible service and broken connections to it into errors with words for a person. */
import { AppError } from '#contract/core/errors.ts';
import { errorCode } from '../platform/systemError.ts';
import type { S3Answer, S3Place } from './s3Client.ts';

/** What was tried: the word for it, and the permission that it needs. */
export const actions = {
  write: { verb: 'write to', permission: 's3:PutObject' },
  read: { verb: 'read from', permission: 's3:GetObject' },
  remove: { verb: 'remove files from', permission: 's3:DeleteObject' },
} as const;
export type S3Action = keyof typeof actions;

type Facts = Pick<S3Place, 'endpoint' | 'region' | 'bucket' | 'accessKeyId'>;

/** The text of a member of an error in XML; null without it. */
function member(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined || text === '' ? null : text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** Errors by which services say that a request was signed for another region than that of the bucket. */
const WRONG_REGION: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'AuthorizationQueryParametersError',
  'IllegalLocationConstraintException',
  'InvalidRegion',
  'PermanentRedirect',
  'TemporaryRedirect',
]);

function wrongRegion({ region, bucket }: Facts, right: string | null): AppError {
  const advice = right === null ? 'Enter the region of the bucket' : `The bucket is in ${right}: enter this region`;
  return new AppError(
    'BAD_REQUEST',
    `The region ${region} is wrong for the bucket "${bucket}". ${advice}, and an endpoint that belongs to it.`,
  );
}

function wrongClock(host: string, { headers }: S3Answer, now: number): AppError {
  const apartMs = Math.abs(now - Date.parse(headers.date ?? ''));
  const apart = Number.isFinite(apartMs) ? ` by ${Math.round(apartMs / 60_000)} minutes` : '';
  return new AppError(
    'BAD_REQUEST',
    `The clock of this computer differs from that of ${host}${apart}; 15 minutes are allowed. Set the clock.`,
  );
}

function denied({ bucket, accessKeyId }: Facts, action: S3Action, why: string | null): AppError {
  const { verb, permission } = actions[action];
  return new AppError(
    'FORBIDDEN',
    `Access denied: the key ${accessKeyId} may not ${verb} the bucket "${bucket}". Give it the permission ${permission}.${why === null ? '' : ` The service says: ${why}`}`,
  );
}

/** The error for an answer that is not 2xx. `now`: the time of this computer. */
export function refusal(place: Facts, action: S3Action, answer: S3Answer, now: number): AppError {
  const { status, headers, text } = answer;
  const { host } = new URL(place.endpoint);
  const code = member(text, 'Code') ?? '';
  const explanation = member(text, 'Message');
  const region = member(text, 'Region') ?? headers['x-amz-bucket-region']?.toString() ?? null;
  if (code === 'RequestTimeTooSkewed' || code === 'RequestExpired') return wrongClock(host, answer, now);
  if (WRONG_REGION.has(code) || (region !== null && region !== place.region && status >= 300 && status < 500)) {
    return wrongRegion(place, region === place.region ? null : region);
  }
  if (status >= 300 && status < 400) {
    const target = headers.location ?? '';
    const where = URL.canParse(target, place.endpoint) ? `, at ${new URL(target, place.endpoint).origin}` : '';
    return new AppError(
      'UPSTREAM',
      `${host} sends requests on to another address${where}. Nothing was sent there. If it is the right one, enter it.`,
    );
  }
  if (code === 'NoSuchBucket' || (status === 404 && action === 'write')) {
    return new AppError(
      'NOT_FOUND',
      `There is no bucket "${place.bucket}" at ${host}. Correct its name or the endpoint, or create the bucket.`,
    );
  }
  if (code === 'InvalidAccessKeyId') {
    return new AppError(
      'FORBIDDEN',
      `${host} does not know the access key id ${place.accessKeyId}. Correct it, or make a new key.`,
    );
  }
  if (code === 'SignatureDoesNotMatch') {
    return new AppError(
      'FORBIDDEN',
      `The secret does not belong to the access key id ${place.accessKeyId}. Enter the secret again.`,
    );
  }
  if (code === 'AccessDenied' || status === 401 || status === 403) return denied(place, action, explanation);
  if (/HTTPS server/i.test(text)) {
    return new AppError('BAD_REQUEST', `${host} takes only encrypted requests: begin the endpoint with https://.`);
  }
  return otherRefusal(host, status, code, explanation);
}

function otherRefusal(host: string, status: number, code: string, explanation: string | null): AppError {
  const why = explanation === null ? '' : ` It says: ${explanation}`;
  if (code === 'EntityTooLarge' || status === 413)
    return new AppError('TOO_LARGE', `${host} does not accept files this large.${why}`);
  if (/StorageFull|QuotaExceeded/i.test(code) || status === 507) {
    return new AppError('STORAGE_FULL', `${host} has no more space for this file.${why}`);
  }
  if (code === '') {
    return new AppError(
      'UPSTREAM',
      `${host} answered ${status}, but not like an S3 service. Check the endpoint: it must be the address of the S3 API, not of a website.`,
    );
  }
  if (status === 503 || status === 500)
    return new AppError('UNAVAILABLE', `${host} cannot process the request now (${code}). Try again.${why}`);
  return new AppError('UPSTREAM', `${host} refused the request (${code}).${why}`);
}

/** Codes of OpenSSL and of Node for certificates that this computer does not trust. */
const UNTRUSTED = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** The error for a request without an answer. */
export function unreachable({ endpoint }: Pick<Facts, 'endpoint'>, thrown: unknown): AppError {
  const { host, hostname } = new URL(endpoint);
  const code = errorCode(thrown) ?? '';
  const error = (message: string): AppError => new AppError('UNAVAILABLE', message, { cause: thrown });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return error(`The host ${hostname} was not found (${code}). Check the endpoint and the network.`);
  }
  if (code === 'ECONNREFUSED')
    return error(`Nothing answers at ${host} (${code}). Check the endpoint, or start the service.`);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return error(`The TLS certificate of ${host} is for another name (${code}). Check the endpoint.`);
  if (code === 'CERT_HAS_EXPIRED') return error(`The TLS certificate of ${host} has expired (${code}).`);
  if (UNTRUSTED.test(code)) {
    return error(`This computer does not trust the TLS certificate of ${host} (${code}). Nothing was sent.`);
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return error(`${host} does not speak TLS (${code}). If the service has none, begin the endpoint with http://.`);
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') return error(`${host} closed the connection (${code}). Try again.`);
  return error(`${host} was not reached${code === '' ? '' : ` (${code})`}. Check the endpoint and the network.`);
}
