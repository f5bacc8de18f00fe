/**
 * Vitest's global setup: makes the packages once, for all specs that open or install them. The Debian package is made
 * in two versions, so that one can be upgraded to the other, and not compressed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildIfStale } from '../scripts/bundles.mjs';
import { makeDeb, whyNoDeb } from '../scripts/packages/debPackage.mjs';
import { makeNpmPackage } from '../scripts/packages/npmPackage.mjs';
import { MADE_PACKAGES, NEWER, OLDER, type MadePackages } from './packages/made.ts';

const place = resolve(import.meta.dirname, '../node_modules/.cache/test-packages');

export default async function makePackages(): Promise<() => void> {
  await buildIfStale();
  mkdirSync(place, { recursive: true });
  const target = mkdtempSync(join(place, `${process.pid}-`));
  const work = join(target, 'work');
  mkdirSync(work);
  const make = (version: string): string => makeDeb({ target, work, version, quick: true });
  const made: MadePackages = {
    npm: makeNpmPackage({ target, work, version: OLDER }),
    debs: whyNoDeb() === undefined ? { older: make(OLDER), newer: make(NEWER) } : null,
  };
  process.env[MADE_PACKAGES] = JSON.stringify(made);
  return () => rmSync(target, { recursive: true, force: true });
}
