/**
 * Creates an element. Text becomes text nodes, never markup, because strangers choose what is in a ledger.
 * @param {string} tag
 * @param {Record<string, unknown>} attributes functions become listeners; false and null are left out
 * @param {...unknown} children nodes, text, and lists of these; null and false are left out
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

/** Replaces all children of the element. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

function present(children) {
  return children.flat(Number.POSITIVE_INFINITY).filter((child) => child != null && child !== false);
}

/** A button that copies `text` to the clipboard. */
export function copyButton(text, what) {
  const button = h('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}`, click }, 'Copy');
  async function click() {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed'; // The browser refused; the text can still be selected.
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  }
  return button;
}

/** A heading with a line of explanation below. */
export function heading(text, explanation) {
  return h(
    'div',
    { class: 'heading' },
    h('h2', {}, text),
    explanation && h('p', { class: 'hint' }, explanation),
  );
}

export function notice(text, kind = 'plain') {
  return h('p', { class: `notice ${kind}` }, text);
}
