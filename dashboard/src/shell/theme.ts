import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { COLOURS } from './colours.ts';

/** Otherwise a dialog's <header> would be a second banner landmark. */
const DIALOG_PARTS = { header: { role: 'presentation' } };

/**
 * The greys of the dark scheme. The library takes 7 for the page, 6 for surfaces (cards, fields, buttons) and 5 under the pointer; what
 * is raised above a surface (menus, dialogs) is 5 too.
 */
const DARK: MantineColorsTuple = [
  COLOURS.dark.text,
  COLOURS.dark.dimmed,
  '#8b9096',
  '#6b7076',
  COLOURS.dark.line,
  '#2e3136',
  COLOURS.dark.surface,
  COLOURS.dark.page,
  '#141618',
  '#0e0f11',
];

const RAISED = { background: 'var(--raised)' };

export const theme = createTheme({
  colors: { dark: DARK },
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, centered: true, attributes: DIALOG_PARTS },
      styles: { title: { fontWeight: 600 }, content: RAISED, header: RAISED },
    },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: DIALOG_PARTS },
      styles: { title: { fontWeight: 600 }, content: RAISED, header: RAISED },
    },
    // In the header's landmark, and without a placeholder that is not allowed in a menu.
    Menu: {
      defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false },
      styles: { dropdown: RAISED },
    },
    Popover: { styles: { dropdown: RAISED } },
    Combobox: { styles: { dropdown: RAISED } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Badge: { defaultProps: { variant: 'light' }, styles: { root: { textTransform: 'none' } } },
  },
});

/** Set for each scheme: Mantine's own values for a scheme have a higher specificity. */
const RED_BUTTON = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/** Replaces Mantine's colours whose contrast is below 4.5:1 (WCAG 2.2 AA). */
export const variablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...RED_BUTTON,
    '--surface': COLOURS.light.surface,
    '--raised': '#ffffff',
    '--mantine-color-dimmed': COLOURS.light.dimmed,
    '--mantine-color-placeholder': '#6a727b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-body': COLOURS.light.page,
    '--mantine-color-teal-light-color': '#066649',
    '--mantine-color-yellow-light-color': '#8a4500',
    '--mantine-color-orange-light-color': '#a33000',
    '--mantine-color-red-light-color': '#b02525',
  },
  dark: {
    ...RED_BUTTON,
    '--surface': 'var(--mantine-color-dark-6)',
    '--raised': 'var(--mantine-color-dark-5)',
    '--mantine-color-dimmed': COLOURS.dark.dimmed,
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': COLOURS.dark.accent,
  },
});
