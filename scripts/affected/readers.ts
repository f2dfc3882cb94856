/**
 * Which files are read, and by which tests or modules of tests: no import says so. What only a person, `npm run check` or
 * git reads has no reader. A file without a row makes everything run.
 */
export type Row = { changed: RegExp; readers: RegExp[] };

const CHECKED_ONLY =
  /^([.](oxlintrc[.]json|gitignore|gitattributes)|biome[.]json|scripts\/lint\/.*[.]grit|scripts\/check-api\/go\/.*[.](go|yaml)|knip[.]json|[.]ci\/(proven|shares|flakes)|dashboard\/tsconfig[.]json)$/;

/** It reads the list of all files. */
export const READERS_OF_ALL = [/^test\/scripts\/affected[.]test/];

export const READERS: Row[] = [
  { changed: CHECKED_ONLY, readers: [] },
  { changed: /[.]md$/, readers: [/^test\/documents[.]/] },
  { changed: /^(README|CHANGELOG|SECURITY)[.]md$|^LICENSE$/, readers: [/^test\/packages\/npm-package/] },
  { changed: /^README[.]md$/, readers: [/^src\/api\/readme[.]test/] },
  { changed: /^docs\/(metrics|runbook)[.]md$/, readers: [/^test\/prometheus[.]/] },
  // The description of the API begins with the guides.
  {
    changed: /^docs\/guides\//,
    readers: [
      /^test\/spec\/(guides|operations)[.]/,
      /^src\/api\/.*[.]test/,
      /^test\/browser\/docs[.]/,
      /^test\/packages\/npm-package/,
    ],
  },
  {
    changed: /^docs\/openapi[.]json$/,
    readers: [
      /^test\/support\/declared-errors/,
      /^test\/spec\/operations[.]/,
      /^src\/api\/openapi-document[.]/,
      /^scripts\/client\/document[.]/,
    ],
  },
  { changed: /^src\/withdrawals\/engine\/README[.]md$/, readers: [/^src\/withdrawals\/engine\/readme[.]/] },
  {
    changed: /^src\/.*[.]ts$/,
    readers: [
      /^src\/db\/table-access[.]/,
      /^src\/withdrawals\/engine\/(states|readme)[.]test/,
      /^src\/api\/openapi-document[.]/,
      /^src\/stellar\/protocol\/missing-arms[.]test/,
    ],
  },
  { changed: /^src\/(config|lib\/metrics.*)[.]ts$/, readers: [/^test\/documents[.]/] },
  {
    changed: /^(dashboard\/|clients\/typescript\/src\/(contract|exact-json)[.]ts$)/,
    readers: [/^test\/browser\//, /^test\/dashboard\//, /^test\/packages\/npm-package/],
  },
  { changed: /^dashboard\/src\/shell\/icon[.]svg$/, readers: [/^src\/api\/pages[.]test/] },
  {
    changed: /^sandbox\/page\//,
    readers: [/^sandbox\/(explorer\/|page\/|)[^/]*[.]test/, /^test\/packages\/npm-package/],
  },
  {
    changed: /^sandbox\/testing\/recordings\//,
    readers: [
      /^sandbox\/(horizon\/)?testing\//,
      /^sandbox\/.*recorded/,
      /^sandbox\/(replay|explorer)\//,
      /^sandbox\/horizon\/account-lists/,
      /^sandbox\/ledger\/(muxed-contract|stellar-value)[.]/,
      /^src\/stellar\/.*[.]test/,
      /^test\/support\/(made-up-arms|protocol-30)/,
      /^test\/dashboard\/strkey[.]/,
      /^test\/spec\/refusals[.]/,
    ],
  },
  {
    changed: /^packaging\//,
    readers: [/^test\/packages\//, /^test\/prometheus[.]/, /^test\/support\/firing-alerts[.]/],
  },
  { changed: /^[.]dockerignore$/, readers: [/^test\/packages\//] },
  {
    changed: /^examples\//,
    readers: [
      /^test\/spec\/(events|receiver-exam)[.]/,
      /^test\/browser\/exam[.]/,
      /^test\/clients\/(example-receivers|runtimes)[.]/,
    ],
  },
  // The tests of the Python client have their own runner, which `npm run test:clients` starts too.
  { changed: /^clients\//, readers: [/^test\/clients\//] },
  { changed: /^test\/clients\/(run|runtimes\/)/, readers: [/^test\/clients\/runtimes[.]/] },
  { changed: /^test\/browser\/run[.]ts$/, readers: [/^test\/browser\//] },
  { changed: /^test\/providers\/run[.]ts$/, readers: [/^test\/providers\//] },
];
