/** Headers of HTTP that a proxy does not pass on. */

/**
 * Headers of one connection (RFC 9110, section 7.6.1), in lower case: each program on the way writes its own. Those of
 * framing and of trailers are not among them: what happens to them depends on how a proxy passes on bodies.
 */
export const CONNECTION_HEADERS: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'upgrade',
];
