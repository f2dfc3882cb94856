/**
 * Whether the first steps of a user are over in this browser: all were done once, or the user has closed the card. It is remembered for each
 * user, and so for each team, because a user belongs to one: with a second wallet nobody needs the card again.
 */
const PREFIX = 'stellar-teller-first-steps-over-';

export function areFirstStepsOver(user_id: string): boolean {
  return localStorage.getItem(PREFIX + user_id) !== null;
}

export function endFirstSteps(user_id: string): void {
  localStorage.setItem(PREFIX + user_id, 'true');
}
