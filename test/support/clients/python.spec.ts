import { expect, test } from 'vitest';
import { uvVariables } from './python.ts';

const ALWAYS = { UV_PYTHON_DOWNLOADS: 'never', UV_HTTP_RETRIES: '1' };

test('uv takes over what the settings of pip say of registries and certificates', () => {
  const listing = [
    ":env:.cert='/mine.pem'",
    ":env:.find-links='/wheels /more'",
    ":env:.timeout='180'",
    "download.index-url='https://download.example'",
    "global.cert='/everyones.pem'",
    "global.extra-index-url='\\nhttps://a.example\\nhttps://b.example'",
    "global.index-url='https://global.example'",
    "install.index-url='https://install.example'",
    "install.trusted-host='install.example'",
  ].join('\n');
  expect(uvVariables(listing, {})).toEqual({
    ...ALWAYS,
    SSL_CERT_FILE: '/mine.pem',
    UV_DEFAULT_INDEX: 'https://install.example',
    UV_FIND_LINKS: '/wheels,/more',
    UV_INDEX: 'https://a.example https://b.example',
    UV_INSECURE_HOST: 'install.example',
  });
});

test('a variable of uv that is set wins over the settings of pip', () => {
  expect(uvVariables("global.cert='/everyones.pem'\n", { SSL_CERT_FILE: '/own.pem', OTHER: 'x' })).toEqual({
    ...ALWAYS,
    SSL_CERT_FILE: '/own.pem',
  });
  expect(uvVariables('', {})).toEqual(ALWAYS);
});
