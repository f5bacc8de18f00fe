/** Rules of who may talk to the interface. */
import { describe, expect, it } from 'vitest';
import { hostOf, isOurHost, isOurOrigin, securityHeaders } from './guards.ts';

describe('a Host header', () => {
  it.each([
    'localhost',
    'localhost:47801',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]:47801',
    'a.localhost:1',
    'LOCALHOST',
    'box.lan:80',
  ])('is ours when it is %s', (host) => expect(isOurHost(host, ['box.lan'])).toBe(true));

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil',
    'evil.example@localhost',
    'localhost:1:2',
    '10.0.0.1',
    '[::2]',
    'box.lan.evil',
  ])('is not ours when it is %s', (host) => expect(isOurHost(host, ['box.lan'])).toBe(false));
});

describe('the host of a request', () => {
  const headers = { host: 'localhost' };

  it('is its Host header', () => {
    expect(hostOf({ rawHeaders: ['Accept', 'host', 'HOST', 'localhost'], headers })).toBe('localhost');
  });

  it('is none for a request with several Host headers', () => {
    expect(hostOf({ rawHeaders: ['Host', 'localhost', 'host', 'evil.example'], headers })).toBe(undefined);
  });
});

describe('an Origin header', () => {
  it('is ours when it is the very address that served the page', () => {
    expect(isOurOrigin('http://127.0.0.1:5', '127.0.0.1:5')).toBe(true);
  });

  it.each([
    undefined,
    'null',
    'http://127.0.0.1:6',
    'https://127.0.0.1:5',
    'http://localhost:5',
    'http://evil.example',
  ])('is not ours when it is %s', (origin) => expect(isOurOrigin(origin, '127.0.0.1:5')).toBe(false));
});

describe('the content policy', () => {
  const policy = securityHeaders('127.0.0.1:5')['content-security-policy'] ?? '';

  it('forbids everything that is not named, and scripts that are not files of ours', () => {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval'(;|$)/);
    expect(policy).toContain("worker-src 'self';");
    expect(policy).not.toMatch(/'unsafe-eval|\*/);
  });

  it('lets the page itself use the camera, and nothing else of the computer', () => {
    expect(securityHeaders('127.0.0.1:5')['permissions-policy']).toBe(
      'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    );
  });

  it('lets the page reach its own WebSocket and nothing else', () => {
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:5;");
  });
});
