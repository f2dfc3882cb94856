export type Link = { href: string; templated?: true };

/** Absolute links to this server, under the name that the client called it by. */
export class Links {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  to(path: string): Link {
    return { href: `${this.#base}${path}` };
  }

  /** A URI template (RFC 6570). */
  template(path: string): Link {
    return { href: `${this.#base}${path}`, templated: true };
  }

  /** A collection, with the parameters to page through it. */
  paged(path: string): Link {
    return this.template(`${path}{?cursor,limit,order}`);
  }
}
