/**
 * The colours that the dashboard, the page of the sandbox and the API reference share, by scheme. The other two pages are served
 * without a build, so they repeat them; a test compares the three.
 */
export const COLOURS = {
  light: {
    page: '#ffffff',
    surface: '#ffffff',
    text: '#212529',
    dimmed: '#565e67',
    line: '#dee2e6',
    accent: '#3b5bdb',
  },
  dark: {
    page: '#1a1c1f',
    surface: '#23262a',
    text: '#d5d7da',
    dimmed: '#b4b9bf',
    line: '#3f4349',
    accent: '#91a7ff',
  },
} as const;
