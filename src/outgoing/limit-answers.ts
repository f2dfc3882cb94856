import type { Socket } from 'node:net';

class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

/**
 * Closes the connection when an answer gets longer than `max_bytes`, at most one read of the socket (64 KiB) beyond the limit. Counts
 * the bytes of the socket, because the parts outside the body can be endless too: a status line, informational answers,
 * empty lines before them, extensions of chunks.
 */
export function limitAnswers(socket: Socket, max_bytes: number): void {
  let written_bytes = 0;
  let read_bytes = 0;
  let answer_from = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written_bytes) {
      written_bytes = socket.bytesWritten; // another request was sent: its answer begins
      answer_from = read_bytes;
    }
    read_bytes = socket.bytesRead;
    if (read_bytes - answer_from > max_bytes) socket.destroy(new AnswerTooLong());
  });
}
