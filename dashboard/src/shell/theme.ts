import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 5 },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, centered: true } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Badge: { defaultProps: { variant: 'light' }, styles: { root: { textTransform: 'none' } } },
  },
});

/** Mantine's dimmed grey is below the contrast of 4.5:1 that WCAG 2.2 AA asks for. */
export const variablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565e67',
    '--mantine-color-placeholder': '#6a727b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-body': '#ffffff',
  },
  dark: {
    '--mantine-color-dimmed': '#b4b9bf',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8787',
  },
});
