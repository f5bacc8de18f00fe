/** A canvas for charts in component specs: jsdom has none. It takes everything that is drawn and shows nothing. */
export function provideCanvas(): void {
  const context = new Proxy<Record<string | symbol, unknown>>(
    {},
    { get: (drawn, name) => drawn[name] ?? (name === 'measureText' ? () => ({ width: 0 }) : () => undefined) },
  );
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', { configurable: true, value: () => context });
  Object.assign(globalThis, {
    Path2D: class {
      rect = (): void => undefined;
      moveTo = (): void => undefined;
      lineTo = (): void => undefined;
      arc = (): void => undefined;
      addPath = (): void => undefined;
      closePath = (): void => undefined;
    },
  });
}
