/** Reports that fonts were loaded. A canvas is drawn with the fonts of that moment and does not redraw itself. */
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
