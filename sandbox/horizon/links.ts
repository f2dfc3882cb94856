export type Link = { href: string; templated?: true };

/** Absolute links to this server, with the host name that the client used. */
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

  /** A link to a collection, with its paging parameters. */
  paged(path: string): Link {
    return this.template(`${path}{?cursor,limit,order}`);
  }
}
