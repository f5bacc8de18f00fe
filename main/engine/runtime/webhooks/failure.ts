/** Explains to a person why a webhook receiver could not be reached. */
import { messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';

const certificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends in a self-signed one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'who issued it is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'who issued it is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'who issued it is not known here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another name',
};

/** One or two sentences. They never contain the whole address, because it may contain a password. */
export function explainFailure(cause: unknown, url: URL): string {
  const code = systemCode(cause) ?? '';
  const message = messageOf(cause);
  const name = url.hostname;
  const certificate = certificates[code];
  if (certificate !== undefined) {
    return `The receiver's certificate is not trusted: ${certificate}. Certificates of your own are trusted when NODE_EXTRA_CA_CERTS names their file.`;
  }
  switch (code) {
    case 'ENOTFOUND':
      return `The name ${name} is not known: no address was found for it.`;
    case 'EAI_AGAIN':
      return `The name ${name} could not be looked up; the name server does not answer.`;
    case 'ECONNREFUSED':
      return `Nothing listens at ${url.host}: the connection was refused.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The receiver closed the connection without an answer.';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return `${url.host} cannot be reached (${code}).`;
    case 'EMFILE':
    case 'ENFILE':
      return 'This machine has no file descriptors left for another connection.';
  }
  if (code.startsWith('HPE_')) return `What ${url.host} answered could not be read as HTTP: ${message}.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `${url.host} does not speak TLS as it should (${code}).`;
  if (cause instanceof URIError) return 'The name or password in the address is not properly percent-encoded.';
  return `The call failed: ${code || message}.`;
}
