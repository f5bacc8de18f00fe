/** Tells when fonts have arrived: a canvas is drawn with the font that is there, and does not draw anew by itself. */
import { useEffect, useState } from 'react';

/** A number that grows each time fonts have been loaded. */
export function useFontsLoaded(): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const { fonts } = document;
    const count = (): void => setTimes((before) => before + 1);
    fonts.addEventListener('loadingdone', count);
    return () => fonts.removeEventListener('loadingdone', count);
  }, []);
  return times;
}
