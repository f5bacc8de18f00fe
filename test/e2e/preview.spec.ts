// Previews of media in the files of a volume, played by the browser.
import { samples } from '../support/page/mediaSamples.ts';
import { ResourcesPage } from './pages/resourcesPage.ts';
import { expect, test } from './support/host.ts';
import { makeVolume } from './support/volumes.ts';

test('a film and a sound in a volume are played in the middle of their preview', async ({ page, shell, host }) => {
  const bytesOf = (name: 'mp4' | 'wav') => Buffer.from(samples[name].base64, 'base64');
  const { id } = await makeVolume(host, 'media', { 'clip.mp4': bytesOf('mp4'), 'tone.wav': bytesOf('wav') });
  const resources = new ResourcesPage(page);
  await shell.open(`#/resources/volumes/${id}`);
  for (const [name, kind, facts] of [
    ['clip.mp4', 'Video', /^MP4 · 0\.3 s · 1\.0 KB$/],
    ['tone.wav', 'Audio', /^WAV · 0\.\d s · \d+ B$/],
  ] as const) {
    await resources.region.getByRole('button', { name, exact: true }).click();
    const dialog = resources.dialog(name);
    const player = dialog.getByLabel(kind);
    await expect(dialog.getByText(facts)).toBeInViewport({ ratio: 1 });
    await player.evaluate((media: HTMLMediaElement) => media.play());
    await expect.poll(() => player.evaluate((media: HTMLMediaElement) => media.currentTime)).toBeGreaterThan(0);
    const middleOf = (part: typeof player) =>
      part.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return Math.round((left + right) / 2);
      });
    expect(await middleOf(player), name).toBe(await middleOf(dialog));
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});
