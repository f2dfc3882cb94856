import { endProcess } from './cli/end-process.ts';
import { describeError, program } from './cli/program.ts';

process.umask(0o077); // what this process and its children write is for their users alone, unless a mode says otherwise

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  await endProcess(Number(process.exitCode ?? 1)); // a command may have set another code
}
