/** A browser with cameras that are not there, and a person who always answers its question about them in one way. */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchOptions, Page } from '@playwright/test';

/** What the camera plays. Each worker of the tests has a browser of its own. */
const FILM = join(tmpdir(), `hangar-camera-${process.pid}.mjpeg`);

const answers = {
  allow: '--use-fake-ui-for-media-stream',
  refuse: '--use-fake-ui-for-media-stream=deny',
};
const devices = {
  /** One camera that plays the film, again and again. */
  film: ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${FILM}`],
  /** Two cameras with pictures that the browser draws. */
  two: ['--use-fake-device-for-media-stream=device-count=2'],
};

/** The option of a spec file that starts such a browser. */
export const cameraBrowser =
  (camera: keyof typeof devices, answer: keyof typeof answers) =>
  async ({ launchOptions }: { launchOptions: LaunchOptions }, use: (options: LaunchOptions) => Promise<void>) => {
    const { args = [] } = launchOptions;
    await use({ ...launchOptions, args: [...args, ...devices[camera], answers[answer]] });
    rmSync(FILM, { force: true });
  };

/** 30 pictures are a second. */
const FRAMES_OF_EACH = 150;

/** Lets a camera that starts from now on show what pages show, each for five seconds. */
export async function film(...pages: readonly Page[]): Promise<void> {
  const frames: Buffer[] = [];
  for (const page of pages) {
    const frame = await page.screenshot({ type: 'jpeg', quality: 95 });
    frames.push(...Array.from({ length: FRAMES_OF_EACH }, () => frame));
  }
  writeFileSync(FILM, Buffer.concat(frames));
}

/** Notes every camera that the page starts from now on. */
export async function noteCameras(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { tracks });
    const { mediaDevices } = navigator;
    const start = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await start(constraints);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
}

/** The kind and the state of each noted camera or microphone. */
export const cameraStates = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (window as unknown as { tracks: MediaStreamTrack[] }).tracks.map(({ kind, readyState }) => `${kind} ${readyState}`),
  );
