/** Some browsers read the file only after the click. */
const KEPT_MS = 60_000;

/** Has the browser save a file. `name`: of the file. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
