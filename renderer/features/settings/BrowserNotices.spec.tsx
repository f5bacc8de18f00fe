import { act } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { giveNotices, type NoticesOfBrowser } from '../../../test/support/page/browser/notification.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { browserNotices } from '../../client/notices/browserNotices.ts';
import { commandsNow } from '../../state/commands.ts';
import { BrowserNotices } from './BrowserNotices.tsx';

const ALL = 'Show notifications in this browser';
const FAILS = 'A job fails';

describe('the notifications of a browser', () => {
  let browser: NoticesOfBrowser;
  beforeEach(() => {
    browser = giveNotices();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  function renderBlock() {
    const { screen, user } = renderPage(<BrowserNotices />);
    // The name of a switch has its description, too.
    const of = (name: string) => screen.getByRole('switch', { name: new RegExp(`^${name}`) });
    return { user, screen, all: of(ALL), of };
  }

  it('are off until a person turns them on, and only then the browser asks', async () => {
    const { user, all, of } = renderBlock();
    expect(all).not.toBeChecked();
    expect(all).toHaveAccessibleName(/ The browser was not asked yet\. It asks when you turn this on\.$/);
    expect(of(FAILS)).toHaveAttribute('aria-description', 'Turn on the notifications of this browser first.');
    expect(browser.asked).toBe(0);
    await user.click(all);
    expect(all).toBeChecked();
    expect(all).toHaveAccessibleName(/ The browser allows them for this page\.$/);
    expect([browser.asked, browser.shown]).toEqual([1, []]);
  });

  it('are chosen by their kind, also from the palette, and stay chosen while all are off', async () => {
    browser.permission = 'granted';
    const { user, all, of } = renderBlock();
    await user.click(of(FAILS));
    expect(of(FAILS)).toBeChecked();
    await user.click(all);
    await user.click(of(FAILS));
    expect(browserNotices.get()).toEqual({ isOn: true, off: ['job-failed'] });
    const command = commandsNow().find(({ description }) => description === FAILS);
    expect(command?.label).toBe('Notification: turn on');
    act(() => command?.run());
    expect(of(FAILS)).toBeChecked();
    await user.click(of(FAILS));
    await user.click(all);
    expect(of(FAILS)).not.toBeChecked();
    expect(browserNotices.get()).toEqual({ isOn: false, off: ['job-failed'] });
  });

  it('say that the browser asks, and that its question has no answer', async () => {
    let close = (): void => undefined;
    browser.answer = new Promise((resolve) => (close = () => resolve('default')));
    const { user, all } = renderBlock();
    await user.click(all);
    expect(all).toHaveAccessibleName(/ The browser now asks for your permission/);
    await act(async () => close());
    expect(all).toHaveAccessibleName(/ You have not answered the question of the browser\. Turn this on again/);
    expect(all).not.toBeChecked();
    expect(browserNotices.get().isOn).toBe(false);
  });

  it('say how to allow them after the person has refused them, and come back with the permission', async () => {
    browser.answer = 'denied';
    const { user, screen, all } = renderBlock();
    await user.click(all);
    expect(all).toHaveAccessibleDescription(
      /^The browser blocks notifications from this page\. To allow them, click[^.]*\.$/,
    );
    expect(all).toHaveAttribute('aria-description', 'The browser blocks notifications from this page.');
    expect(all).toHaveAttribute('aria-disabled', 'true');
    expect(screen.queryByRole('switch', { name: FAILS })).toBeNull();
    browser.permission = 'granted';
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(all).not.toHaveAttribute('aria-disabled');
  });

  it('say how to allow them in Safari, which has no icon before the address', () => {
    browser.permission = 'denied';
    const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15';
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(safari);
    const { all } = renderBlock();
    expect(all).toHaveAccessibleName(/ To allow them, choose Settings > Websites > Notifications in Safari\.$/);
    expect(all).not.toHaveAccessibleName(/icon/);
  });

  it('say that an http address of another computer has none', () => {
    vi.stubGlobal('isSecureContext', false);
    expect(renderBlock().all).toHaveAccessibleName(/at an http address of another computer\. Open the page through/);
  });

  it('say that the browser has none, also if only its service workers may show them', async () => {
    browser.isForPages = false;
    const { user, all } = renderBlock();
    await user.click(all);
    expect(all).toHaveAccessibleName(/ This browser does not show notifications from pages\./);
    expect(browser.asked).toBe(0);
  });
});
