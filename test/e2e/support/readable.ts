/** What a person who sees little, or hears the page, cannot make out. */
import type { Page } from '@playwright/test';

interface Nameless {
  tag: string;
  html: string;
}

/** Controls without a name, which a screen reader could only call "button". */
export const namelessControls = (page: Page): Promise<Nameless[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll(
      'button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=tab]',
    );
    const nameOf = (control: Element): string => {
      const by = control.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labelled = by.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      const label = control instanceof HTMLInputElement ? (control.labels?.[0]?.textContent ?? '') : '';
      return [control.getAttribute('aria-label'), labelled, label, control.textContent].join('').trim();
    };
    return (
      [...controls]
        // What is only for the pointer, a screen reader does not reach.
        .filter((control) => control.checkVisibility() && control.closest('[aria-hidden=true]') === null)
        .filter((control) => nameOf(control) === '')
        .map((control) => ({
          tag: control.tagName,
          html: control.outerHTML.slice(0, 200),
        }))
    );
  });

/** Texts in sight whose contrast with what lies behind them is below 4.5:1. */
export const faintTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (colour: string): number[] => {
      if (!canvas) return [0, 0, 0, 1];
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const luminance = ([red = 0, green = 0, blue = 0]: number[]) => {
      const linear = (value: number) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    };
    const behind = (element: Element | null): number[] => {
      for (let at = element; at; at = at.parentElement) {
        const colour = rgba(getComputedStyle(at).backgroundColor);
        if ((colour[3] ?? 0) > 0.95) return colour;
      }
      return [255, 255, 255, 1];
    };
    const faint: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const element = text.parentElement;
      const words = text.textContent?.trim() ?? '';
      if (
        !element ||
        words === '' ||
        !element.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
        })
      )
        continue;
      if (element.closest('[disabled], [data-disabled], [aria-hidden=true]')) continue;
      const [one, other] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${words.slice(0, 40)}`);
    }
    return faint;
  });
