/** Words for refusals as AWS, Cloudflare R2, Backblaze and MinIO document them. */
import { describe, expect, it } from 'vitest';
import { refusal, type S3Action } from './s3Errors.ts';

const place = {
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'inputs',
  accessKeyId: 'AKID',
};

function wordsFor(status: number, text: string, headers: Record<string, string> = {}, action: S3Action = 'write') {
  const { code, message } = refusal(place, action, { status, headers, text }, 0);
  return `${code} ${message}`;
}
const xml = (code: string, more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>As &quot;said&quot;.</Message>${more}</Error>`;

describe('a refusal of an S3 service', () => {
  it.each([
    ['a header for another region', 400, xml('AuthorizationHeaderMalformed', '<Region>us-west-2</Region>'), {}],
    ['a redirect to another region', 301, xml('PermanentRedirect'), { 'x-amz-bucket-region': 'us-west-2' }],
    ['a refusal with the region in its head', 400, '', { 'x-amz-bucket-region': 'us-west-2' }],
  ])('%s names the right region', (_, status, text, headers) => {
    expect(wordsFor(status, text, headers)).toMatch(/^BAD_REQUEST The region eu-central-1 is wrong.*is in us-west-2/);
  });

  it('for a region that it does not name asks for the region', () => {
    expect(wordsFor(400, xml('AuthorizationHeaderMalformed'))).toContain('Enter the region of the bucket');
  });

  it('for a wrong clock says by how much it is wrong', () => {
    const headers = { date: 'Thu, 01 Jan 1970 00:30:00 GMT' };
    expect(wordsFor(403, xml('RequestTimeTooSkewed'), headers)).toMatch(
      /^BAD_REQUEST The clock of this computer differs from that of s3\.eu-central-1\.amazonaws\.com by 30 minutes/,
    );
  });

  it.each([
    ['write', 's3:PutObject'],
    ['read', 's3:GetObject'],
    ['remove', 's3:DeleteObject'],
  ] as const)('to %s names the permission that the key lacks', (action, permission) => {
    const words = wordsFor(403, xml('AccessDenied'), { 'x-amz-bucket-region': 'eu-central-1' }, action);
    expect(words).toMatch(/^FORBIDDEN Access denied: the key AKID may not/);
    expect(words).toContain(`${permission}. The service says: As "said".`);
  });

  it.each([
    [400, xml('EntityTooLarge'), /^TOO_LARGE s3\.eu-central-1\.amazonaws\.com does not accept files this large/],
    [507, xml('XMinioStorageFull'), /^STORAGE_FULL .* has no more space/],
    [503, xml('SlowDown'), /^UNAVAILABLE .* cannot process the request now \(SlowDown\)\. Try again/],
    [400, 'Client sent an HTTP request to an HTTPS server.', /^BAD_REQUEST .* begin the endpoint with https:\/\//],
    [200 + 300, '', /^UPSTREAM .* answered 500, but not like an S3 service/],
    [409, xml('OperationAborted'), /^UPSTREAM .* refused the request \(OperationAborted\)\. It says: As "said"\./],
  ])('%i %s is said in words', (status, text, words) => expect(wordsFor(status, text)).toMatch(words));
});
