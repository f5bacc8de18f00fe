/** Style sheets in order: the font, Mantine's in a layer, then Hangar's, which override them. */
import '@fontsource-variable/inter/wght.css';
import './mantine.ts';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './theme.css';
