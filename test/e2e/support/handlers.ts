/** Endpoints of handlers that a test writes, made over HTTP as a program would. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import axe from 'axe-core';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import { expect, type Host } from './host.ts';

const folders = mkdtempSync(join(tmpdir(), 'hangar-handlers-'));
process.once('exit', () => rmSync(folders, { recursive: true, force: true }));

export async function call<T>({ api, apiKey }: Host, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Sets what an hour of this computer's processor costs, in US dollars; null for no price. */
export const setPrice = (host: Host, cpuHour: number | null): Promise<unknown> =>
  call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour } } });

/** Writes a folder of these files, by their paths in it, and answers where it is. */
export function writeFolder(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(folders, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export const writeHandler = (name: string, code: string): string => writeFolder(name, { 'handler.mjs': code });

/** Makes an endpoint of a folder with this handler, as a program would. */
export async function makeEndpoint(
  host: Host,
  name: string,
  code: string,
  fields: Partial<Endpoint> = {},
): Promise<string> {
  const imageName = pathToFileURL(writeHandler(name, code)).href;
  const template = await call<Template>(host, 'POST', '/v1/templates', { name, imageName, isServerless: true });
  const endpoint = { name, templateId: template.id, ...fields };
  return (await call<Endpoint>(host, 'POST', '/v1/endpoints', endpoint)).id;
}

/** Writes as many lines as it is asked for, a warning and an error. */
export const chatty = `export default async (job) => {
  for (let step = 0; step < job.input.steps; step += 1) console.log('step ' + step + ' of the training');
  console.log('WARNING: the disk is slow');
  console.error('ERROR: the cache could not be read');
  return 'said it all';
};`;

/** Both themes. */
const THEMES = [{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const;

/** Both themes, each also with the high contrast that a system asks for. */
const APPEARANCES = [
  { colorScheme: 'light', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'no-preference' },
] as const;

/** What is the same on every page, and is looked at on each of them (`expectPageWithoutFault`). */
const FRAME = ['#root header:not(main *)', '#root nav[aria-label=Pages]', '#root footer:not(main *)'];

/**
 * Waits until the page has taken the colours that the system asks for: its script sets them, and some change slowly.
 */
async function coloursAreThere(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

/** Selectors of what is looked at and of what is left out of it. */
interface Part {
  include: string;
  exclude: readonly string[];
}

interface Appearance {
  colorScheme: 'light' | 'dark';
  contrast?: 'no-preference' | 'more';
}

/**
 * Axe about a part of the page, without the list of all that is well, which nobody reads, and without a selector for each
 * element, which takes a quarter of its time: a fault names its HTML. Its half a megabyte is read once by each document,
 * not for each question. The page has no frames, into which axe would have to be put as well.
 */
async function faultsOf(page: Page, { include, exclude }: Part, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ runOnly, ...part }) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part, {
        resultTypes: ['violations'],
        selectors: false,
        ...(runOnly && { runOnly: { type: 'rule', values: runOnly } }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
      );
    },
    { include: [[include]], exclude: exclude.map((selector) => [selector]), runOnly: rules },
  );
}

/** One look at the longest page takes seconds alone. */
const AXE_MS = 300_000;

/** Links with the browser's own colour, which fits no theme. */
const uncolouredLinks = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const probe = Object.assign(document.createElement('i'), { style: 'color: LinkText' });
    document.body.append(probe);
    const browsers = getComputedStyle(probe).color;
    const links = [...document.querySelectorAll<HTMLElement>('a[href]')].filter((link) => link.checkVisibility());
    const uncoloured = links.filter((link) => getComputedStyle(link).color === browsers);
    probe.remove();
    return uncoloured.map((link) => link.outerHTML.slice(0, 200));
  });

/**
 * `where` names the place in what a failure says. It begins with the theme that the page has, and the last one stays: each
 * change makes the browser paint the whole page.
 */
async function expectNoFaultIn(
  page: Page,
  where: string,
  part: Part,
  appearances: readonly Appearance[],
): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const ordered = isDark ? appearances.toReversed() : appearances;
  for (const [place, { colorScheme, contrast = 'no-preference' }] of ordered.entries()) {
    await page.emulateMedia({ colorScheme, contrast, reducedMotion: 'reduce' });
    await coloursAreThere(page);
    // Nothing but colours differs between the appearances.
    const rules = place === 0 ? undefined : ['color-contrast'];
    const seen = `${where}, ${colorScheme}${contrast === 'more' ? ', high contrast' : ''}`;
    expect(await uncolouredLinks(page), seen).toEqual([]);
    // What changes by itself, such as the progress of an upload, is for a moment neither the one nor the other.
    await expect(async () => {
      const faults = await faultsOf(page, part, rules);
      expect(faults, seen).toEqual([]);
    }).toPass({ timeout: AXE_MS });
  }
}

/**
 * Asks axe about a page with its frame in both themes, and with high contrast, too, where `isHigh`. With that, texts only
 * have more contrast (test/architecture/themes.spec.ts), so one page stands for all.
 */
export const expectPageWithoutFault = (page: Page, where: string, isHigh: boolean): Promise<void> =>
  expectNoFaultIn(page, where, { include: 'html', exclude: [] }, isHigh ? APPEARANCES : THEMES);

/**
 * Asks axe about a part of the page in both themes; without `part`, about all but its frame. What has to be right with
 * high contrast is looked at elsewhere (`expectPageWithoutFault`).
 */
export const expectNoFault = (page: Page, where: string, part?: string): Promise<void> =>
  expectNoFaultIn(
    page,
    where,
    part === undefined ? { include: 'html', exclude: FRAME } : { include: part, exclude: [] },
    THEMES,
  );

/** Puts the clock of the page forward, which the test has installed, until `what` is shown. */
export async function expectWhileClockRuns(page: Page, what: Locator): Promise<void> {
  const isShown = async (): Promise<boolean> => {
    await page.clock.fastForward(4000);
    return what.isVisible();
  };
  await expect.poll(isShown, `${String(what)} is shown while the clock of the page runs`).toBe(true);
}
