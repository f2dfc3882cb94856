/** The events that a test can send. No receiver books any of them: the names of real events are not among them. */
export const TEST_EVENTS = ['ping', 'deposit.test'] as const;
export type TestEvent = (typeof TEST_EVENTS)[number];
