/** `inbox.unattributed` of the health counts no further: it means so many or more. */
export const MOST_UNATTRIBUTED = 1000;
