/**
 * The part of the DOM that the sandbox's page uses: elements, attributes and text nodes, without a parser of
 * markup. So markup in data could not become elements.
 */
class TinyElement {
  readonly tag: string;
  readonly attributes = new Map<string, string>();
  readonly listeners = new Map<string, (event: object) => unknown>();
  readonly style = { setProperty: (name: string, value: string) => this.attributes.set(name, value) };
  readonly classList = {
    add: (name: string) => this.attributes.set('class', `${this.attributes.get('class')} ${name}`),
  };
  nodes: (TinyElement | string)[] = [];
  value: string;
  hidden = false;
  disabled = false;

  constructor(tag: string, value = '') {
    this.tag = tag;
    this.value = value;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
    if (name === 'value') this.value = value;
  }

  addEventListener(name: string, listener: (event: object) => unknown): void {
    this.listeners.set(name, listener);
  }

  append(...nodes: (TinyElement | string)[]): void {
    this.nodes.push(...nodes.map((node) => (node instanceof TinyElement ? node : String(node))));
    const chosen = this.tag === 'select' ? this.all('option')[0] : undefined;
    if (chosen !== undefined) this.value = chosen.value;
  }

  replaceChildren(...nodes: (TinyElement | string)[]): void {
    this.nodes = [];
    this.append(...nodes);
  }

  set textContent(text: string) {
    this.nodes = [text];
  }

  get textContent(): string {
    return this.nodes.map((node) => (typeof node === 'string' ? node : node.textContent)).join('');
  }

  /** Every element of this tag below, in the order of the document. */
  all(tag: string): TinyElement[] {
    return this.nodes.flatMap((node) => {
      if (typeof node === 'string') return [];
      return node.tag === tag ? [node, ...node.all(tag)] : node.all(tag);
    });
  }
}

export type { TinyElement };

/** Makes this process behave like a browser that shows the page of `url`. */
export function becomeBrowser(url: string): void {
  const real = globalThis.fetch;
  const stored = new Map<string, string>();
  Object.assign(globalThis, {
    document: { createElement: (tag: string) => new TinyElement(tag) },
    location: new URL(url),
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    },
    fetch: (path: string, options?: RequestInit) => real(new URL(path, url), options),
  });
}
