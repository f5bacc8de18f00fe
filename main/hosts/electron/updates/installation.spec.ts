import { expect, test } from 'vitest';
import { installationOf, signatureProblem, type Surroundings } from './installation.ts';
import { updateFailure } from './failureWords.ts';

const appImage: Surroundings = {
  platform: 'linux',
  isPackaged: true,
  feed: null,
  appImage: '/home/me/Hangar.AppImage',
  packageType: null,
  updateConfig: 'provider: github',
  unsigned: null,
};
const mac: Surroundings = { ...appImage, platform: 'darwin', appImage: undefined };

test('an AppImage, a program of Windows and a signed one of macOS update themselves', () => {
  for (const facts of [appImage, mac, { ...mac, platform: 'win32' as const }]) {
    expect(installationOf(facts)).toMatchObject({ canCheck: true, manual: null });
  }
});

test('a package of Linux names the command of its manager, for the file of its own kind', () => {
  const files = ['Hangar-2.AppImage', 'Hangar-2.deb', 'Hangar-2.rpm'];
  const saidOf = (packageType: string) => {
    const { manual, command } = installationOf({ ...appImage, appImage: undefined, packageType });
    return [manual, command(files)];
  };
  expect(['deb', 'rpm', 'pacman'].map(saidOf)).toEqual([
    ['apt installed this Hangar. Use it to update Hangar, too.', 'sudo apt-get install ./Hangar-2.deb'],
    ['dnf installed this Hangar. Use it to update Hangar, too.', 'sudo dnf install ./Hangar-2.rpm'],
    ['pacman installed this Hangar. Use it to update Hangar, too.', null],
  ]);
});

test('a program says why it does not update itself', () => {
  const manual = (facts: Partial<Surroundings>) => installationOf({ ...appImage, ...facts }).manual;
  expect(manual({ isPackaged: false })).toMatch(/runs from its source folder/);
  expect(manual({ isPackaged: false, feed: 'http://127.0.0.1/' })).toBeNull();
  expect(manual({ updateConfig: null })).toMatch(/built without an address/);
  expect(manual({ updateConfig: 'url: https://updates.invalid/' })).toMatch(/built without an address/);
  expect(manual({ appImage: undefined })).toMatch(/neither an AppImage nor a package/);
  expect(manual({ ...mac, unsigned: 'It is not signed.' })).toBe('It is not signed.');
});

test('macOS replaces a program that is signed by somebody', () => {
  expect(signatureProblem({ failed: true, text: 'code object is not signed at all' })).toMatch(/is not signed/);
  expect(signatureProblem({ failed: false, text: 'Signature=adhoc\nTeamIdentifier=not set' })).toMatch(
    /no signature of a known developer/,
  );
  expect(signatureProblem({ failed: false, text: 'Authority=Developer ID\nTeamIdentifier=ABCDE12345' })).toBeNull();
});

test('each failure has a reason that says what to do', () => {
  const withCode = (code: string) => Object.assign(new Error('of any kind'), { code });
  expect(updateFailure(withCode('ERR_UPDATER_INVALID_SIGNATURE'))).toMatch(/not signed by the makers.*by hand/);
  expect(updateFailure(withCode('ENOSPC'))).toMatch(/disk is full.*Free some space/);
  expect(updateFailure(withCode('ECONNRESET'))).toMatch(/connection .* failed\. The next attempt continues/);
  expect(updateFailure(new Error('net::ERR_NAME_NOT_RESOLVED'))).toMatch(/connection/);
  expect(updateFailure(new Error('Cannot download "http://x/y", status 503: Service'))).toMatch(/answered 503/);
  expect(updateFailure(Object.assign(new Error('500 Internal'), { statusCode: 500 }))).toMatch(/answered 500/);
  expect(updateFailure(new Error('something new\nwith a stack'))).toMatch(/^The update failed: something new\. Hangar/);
});
