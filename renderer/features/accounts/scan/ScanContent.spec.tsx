import { act } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import ScanContent from './ScanContent.tsx';

/** A camera's track, as far as a test sees it: whether it was stopped, and that it ends. */
class Track extends EventTarget {
  isStopped = false;
  stop(): void {
    this.isStopped = true;
  }
  getSettings(): MediaTrackSettings {
    return { deviceId: 'one' };
  }
}

const streamOf = (track: Track) =>
  ({ getTracks: () => [track], getVideoTracks: () => [track] }) as unknown as MediaStream;

/** Gives the page cameras, which jsdom has none of. */
function giveCameras(getUserMedia: () => Promise<MediaStream>): void {
  const mediaDevices = { getUserMedia, enumerateDevices: () => Promise.resolve([]) };
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices });
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

const renderScan = () => renderPage(<ScanContent onLink={() => undefined} />);

describe('the camera of the dialog that scans', () => {
  it('is not attempts for where the browser gives none, which is said with the address', () => {
    const { screen } = renderScan();
    expect(screen.getByRole('status')).toHaveTextContent(`This page is open at ${location.origin}.`);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it.each([
    ['NotReadableError', 'The camera cannot be started. Close other programs that use the camera.'],
    ['NotFoundError', 'No camera was found. Connect a camera.'],
    ['NotAllowedError', 'The camera is not allowed. Allow the camera for Hangar in the privacy settings'],
    ['InvalidStateError', 'The camera cannot be started. Connect it again'],
  ])('says what to do after a %s, and tries again', async (name, words) => {
    let attempts = 0;
    giveCameras(() => {
      attempts += 1;
      return Promise.reject(new DOMException('', name));
    });
    const { screen, user } = renderScan();
    expect(screen.getByRole('status')).toHaveTextContent('Starting the camera.');
    const again = await screen.findByRole('button', { name: 'Try again' });
    // The title and the text are elements of their own.
    expect(screen.getByRole('status').textContent).toContain(words.replace('. ', '.'));
    await user.click(again);
    await screen.findByRole('button', { name: 'Try again' });
    expect(attempts).toBe(2);
  });

  it('says that it was disconnected', async () => {
    const track = new Track();
    giveCameras(() => Promise.resolve(streamOf(track)));
    const { screen } = renderScan();
    await screen.findByLabelText('The picture of the camera');
    act(() => void track.dispatchEvent(new Event('ended')));
    expect(screen.getByRole('status')).toHaveTextContent('The camera was disconnected.');
  });

  it('is stopped when it comes after the dialog has closed', async () => {
    const track = new Track();
    let give: (stream: MediaStream) => void = () => undefined;
    giveCameras(() => new Promise((resolve) => (give = resolve)));
    const { rerender } = renderScan();
    rerender(<p>closed</p>);
    await act(async () => give(streamOf(track)));
    expect(track.isStopped).toBe(true);
  });
});
