/** Mantine's side of the theme: sizes and component defaults. Colours come from theme.css alone. */
import {
  ActionIcon,
  Button,
  Checkbox,
  Combobox,
  createTheme,
  Drawer,
  Input,
  Kbd,
  Menu,
  Modal,
  Notification,
  Popover,
  SegmentedControl,
  InputWrapper,
  Skeleton,
  Switch,
  Tabs,
  Tooltip,
} from '@mantine/core';
import parts from './parts.module.css';

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: 'var(--text-small)', sm: 'var(--text)', md: 'var(--text)' },
  lineHeights: { sm: '1.45', md: '1.45' },
  defaultRadius: 'var(--radius)',
  headings: { fontFamily: 'var(--font)', fontWeight: '620' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm', variant: 'filled' },
      classNames: { root: parts.button ?? '' },
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', size: 24 },
      classNames: { root: parts.icon ?? '' },
    }),
    Checkbox: Checkbox.extend({
      classNames: { body: parts.check ?? '', label: parts.checkLabel ?? '', input: parts.checkBox ?? '' },
    }),
    Input: Input.extend({ defaultProps: { size: 'xs' }, classNames: { input: parts.input ?? '' } }),
    Combobox: Combobox.extend({ classNames: { option: parts.option ?? '', dropdown: parts.float ?? '' } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      classNames: { root: parts.notification ?? '', description: parts.notificationText ?? '' },
    }),
    Kbd: Kbd.extend({ classNames: { root: parts.kbd ?? '' } }),
    Menu: Menu.extend({
      defaultProps: { shadow: 'md', radius: 'var(--radius)' },
      classNames: { dropdown: parts.float ?? '', item: parts.menuItem ?? '' },
    }),
    Popover: Popover.extend({
      defaultProps: { shadow: 'md', radius: 'var(--radius-card)' },
      classNames: { dropdown: parts.float ?? '' },
    }),
    Drawer: Drawer.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: { header: { role: 'presentation' } } },
      classNames: { title: parts.modalTitle ?? '', overlay: parts.overlay ?? '', content: parts.sheet ?? '' },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: 'var(--radius-card)',
        closeButtonProps: { 'aria-label': 'Close' },
        // A dialog's head is not the page's: landmarks are told apart by what they are.
        attributes: { header: { role: 'presentation' } },
      },
      classNames: {
        title: parts.modalTitle ?? '',
        overlay: parts.overlay ?? '',
        content: parts.float ?? '',
        header: parts.float ?? '',
      },
    }),
    SegmentedControl: SegmentedControl.extend({
      classNames: { root: parts.segments ?? '', indicator: parts.segment ?? '', label: parts.segmentLabel ?? '' },
    }),
    Skeleton: Skeleton.extend({ classNames: { root: parts.skeleton ?? '' } }),
    InputWrapper: InputWrapper.extend({
      classNames: {
        label: parts.inputLabel ?? '',
        description: parts.description ?? '',
        error: parts.inputError ?? '',
      },
    }),
    Switch: Switch.extend({
      defaultProps: { withThumbIndicator: false },
      classNames: {
        track: parts.switchTrack ?? '',
        thumb: parts.switchThumb ?? '',
        label: parts.switchLabel ?? '',
        description: parts.switchText ?? '',
      },
    }),
    Tabs: Tabs.extend({
      classNames: {
        root: parts.tabs ?? '',
        list: parts.tabList ?? '',
        tab: parts.tab ?? '',
        panel: parts.tabPanel ?? '',
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 350, fz: 'xs', events: { hover: true, focus: true, touch: false } },
      classNames: { tooltip: parts.tooltip ?? '' },
    }),
  },
});
