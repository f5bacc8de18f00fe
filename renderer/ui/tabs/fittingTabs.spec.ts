import { expect, test } from 'vitest';
import { fittingTabs } from './fittingTabs.ts';

const row = { widths: [50, 60, 40, 70], gap: 2, moreWidth: 44, selected: 0 };

test('all tabs are shown as long as they have room, which needs none for a button', () => {
  expect([...fittingTabs({ ...row, room: 226 })]).toEqual([0, 1, 2, 3]);
});

test('the first tabs are shown beside the button, and the selected one wherever it stands', () => {
  expect([...fittingTabs({ ...row, room: 225 })].sort()).toEqual([0, 1, 2]);
  expect([...fittingTabs({ ...row, room: 200 })].sort()).toEqual([0, 1, 2]);
  expect([...fittingTabs({ ...row, room: 199 })].sort()).toEqual([0, 1]);
  expect([...fittingTabs({ ...row, selected: 3, room: 199 })].sort()).toEqual([0, 3]);
});

test('a wide tab without room leaves it to a narrow one after it', () => {
  expect([...fittingTabs({ ...row, widths: [50, 90, 40, 70], room: 160 })].sort()).toEqual([0, 2]);
});

test('the selected tab is shown even if nothing has room', () => {
  expect([...fittingTabs({ ...row, selected: 2, room: 10 })]).toEqual([2]);
});
