import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** A dialog's heading is not the page's banner, for which a <header> outside of a section is taken. */
const DIALOG_PARTS = { header: { role: 'presentation' } };

export const theme = createTheme({
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
      styles: { title: { fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: DIALOG_PARTS },
      styles: { title: { fontWeight: 600 } },
    },
    // Within the header, a landmark; and without a part that cannot be in a menu.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Badge: { defaultProps: { variant: 'light' }, styles: { root: { textTransform: 'none' } } },
  },
});

/** By scheme, as Mantine has its own: for both at once they would count for less. */
const RED_BUTTON = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/** Where Mantine's own colours have less than the contrast of 4.5:1 that WCAG 2.2 AA asks for. */
export const variablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...RED_BUTTON,
    '--mantine-color-dimmed': '#565e67',
    '--mantine-color-placeholder': '#6a727b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-teal-light-color': '#066649',
    '--mantine-color-yellow-light-color': '#8a4500',
    '--mantine-color-orange-light-color': '#a33000',
    '--mantine-color-red-light-color': '#b02525',
  },
  dark: {
    ...RED_BUTTON,
    '--mantine-color-dimmed': '#b4b9bf',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8787',
  },
});
