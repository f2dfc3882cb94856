import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './shell/shell.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchActivity } from './api/activity.ts';
import { readsExactly } from './api/exact-json.ts';
import { queryClient } from './api/query-client.ts';
import { loadAllPages, router } from './router.tsx';
import { BrowserTooOld } from './shell/browser-too-old.tsx';
import { joinOtherTabs } from './shell/other-tabs.ts';
import { theme, variablesResolver } from './shell/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variablesResolver} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      {readsExactly() ? (
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      ) : (
        <BrowserTooOld />
      )}
    </MantineProvider>
  </StrictMode>,
);

watchActivity(window);
joinOtherTabs(router);

/** The first page has usually loaded its data by then. */
const BUSY_MS = 2_000;
window.setTimeout(loadAllPages, BUSY_MS);
