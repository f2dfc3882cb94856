/** Pure: a URL as people read it in the audit log, in alerts and at a terminal. */

/**
 * Shows a URL without user name and password (no new URL has them), with `…` for each value of the query and for the fragment: they may be
 * credentials of the receiver. `url` was parsed before.
 */
export function shownUrl(url: string): string {
  const { protocol, host, pathname, search, hash } = new URL(url);
  const query = search.slice(1).split('&').map(withoutValue).join('&');
  return `${protocol}//${host}${pathname}${query && `?${query}`}${hash && '#…'}`;
}

/** Hides the value of a parameter. One without a name may be a credential too. */
function withoutValue(parameter: string): string {
  return parameter === '' ? '' : `${/^[^=]*=/.exec(parameter)?.[0] ?? ''}…`;
}

/**
 * Returns the URL of a change for its entry, before and after. `url_changed` tells of a change that the shown URLs may hide; it is absent
 * when the URL is the same.
 */
export function shownUrls(
  before: string | null,
  after: string | null,
): { before: { url: string | null }; after: { url: string | null; url_changed?: true } } {
  const show = (url: string | null) => ({ url: url === null ? null : shownUrl(url) });
  return { before: show(before), after: { ...show(after), ...(before !== after && { url_changed: true }) } };
}
