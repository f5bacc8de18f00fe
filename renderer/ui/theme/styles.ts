/** Style sheets in their order: Mantine's, in a layer of their own, then ours, which win. */
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './theme.css';
