/** The Mantine theme: sizes and component defaults. All colours come from theme.css. */
import { createTheme } from '@mantine/core';
import type * as core from '@mantine/core';
import { ButtonElement } from './ButtonElement.tsx';
import parts from './parts.module.css';
import { t } from '../../language/text.ts';

type Named = Pick<
  typeof core,
  | 'ActionIcon'
  | 'Button'
  | 'Checkbox'
  | 'Combobox'
  | 'Drawer'
  | 'FileButton'
  | 'Input'
  | 'InputWrapper'
  | 'Kbd'
  | 'Menu'
  | 'Modal'
  | 'Notification'
  | 'Popover'
  | 'SegmentedControl'
  | 'Select'
  | 'Skeleton'
  | 'Switch'
  | 'Tabs'
  | 'Tooltip'
>;

/**
 * Not in Mantine's types of default properties: a button may be another element, such as a link, which names its own.
 */
const element = { component: ButtonElement };

/** Plain objects: `extend` of the components would make all of them part of the first load of the page. */
const components: { [Name in keyof Named]: Parameters<Named[Name]['extend']>[0] } = {
  Button: {
    defaultProps: { size: 'sm', variant: 'filled', ...element },
    classNames: { root: parts.button ?? '', label: parts.buttonLabel ?? '' },
  },
  ActionIcon: {
    defaultProps: { variant: 'subtle', size: 24, ...element },
    classNames: { root: parts.icon ?? '' },
  },
  Checkbox: {
    defaultProps: { size: 'xs' },
    classNames: { body: parts.check ?? '', label: parts.checkLabel ?? '', input: parts.checkBox ?? '' },
  },
  Input: { defaultProps: { size: 'xs' }, classNames: { wrapper: parts.inputBox ?? '', input: parts.input ?? '' } },
  Combobox: { classNames: { option: parts.option ?? '', dropdown: parts.float ?? '' } },
  Notification: {
    defaultProps: { closeButtonProps: { 'aria-label': t`Close` } },
    classNames: { root: parts.notification ?? '', description: parts.notificationText ?? '' },
  },
  Kbd: { classNames: { root: parts.kbd ?? '' } },
  FileButton: {
    // A browser tells nothing where the same file is chosen as before.
    defaultProps: { inputProps: { onClick: ({ currentTarget }) => (currentTarget.value = '') } },
  },
  Menu: {
    // The item that gets the focus in its place is one of a menu's allowed children; the placeholder is not.
    defaultProps: { shadow: 'md', radius: 'var(--radius)', withInitialFocusPlaceholder: false },
    classNames: { dropdown: parts.float ?? '', item: parts.menuItem ?? '' },
  },
  Popover: {
    // Within the landmark of the page, so that all that can be read is in one.
    defaultProps: { shadow: 'md', radius: 'var(--radius-card)', portalProps: { target: '#page' } },
    classNames: { dropdown: parts.float ?? '' },
  },
  Drawer: {
    defaultProps: { closeButtonProps: { 'aria-label': t`Close` }, attributes: { header: { role: 'presentation' } } },
    classNames: { title: parts.modalTitle ?? '', overlay: parts.overlay ?? '' },
  },
  Modal: {
    defaultProps: {
      centered: true,
      radius: 'var(--radius-card)',
      closeButtonProps: { 'aria-label': t`Close` },
      // The head of a dialog is no landmark, because the page has one banner.
      attributes: { header: { role: 'presentation' } },
    },
    classNames: {
      title: parts.modalTitle ?? '',
      overlay: parts.overlay ?? '',
      content: parts.float ?? '',
      header: parts.float ?? '',
    },
  },
  SegmentedControl: {
    classNames: { root: parts.segments ?? '', indicator: parts.segment ?? '', label: parts.segmentLabel ?? '' },
  },
  // Enter chooses what the typed text finds first.
  Select: { defaultProps: { selectFirstOptionOnChange: true } },
  Skeleton: { classNames: { root: parts.skeleton ?? '' } },
  InputWrapper: {
    classNames: {
      label: parts.inputLabel ?? '',
      description: parts.description ?? '',
      error: parts.inputError ?? '',
    },
  },
  Switch: {
    defaultProps: { size: 'xs', withThumbIndicator: false },
    classNames: {
      track: parts.switchTrack ?? '',
      thumb: parts.switchThumb ?? '',
      label: parts.switchLabel ?? '',
      description: parts.switchText ?? '',
    },
  },
  Tabs: {
    classNames: {
      root: parts.tabs ?? '',
      list: parts.tabList ?? '',
      tab: parts.tab ?? '',
      panel: parts.tabPanel ?? '',
    },
  },
  Tooltip: {
    defaultProps: { openDelay: 350, fz: 'xs', events: { hover: true, focus: true, touch: false } },
    classNames: { tooltip: parts.tooltip ?? '' },
  },
};

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
  components: { ...components },
});
