import { z } from 'zod';

/** A password that somebody chooses. */
export const NewPassword = z.string().min(8, 'must have at least 8 characters').max(1024);
