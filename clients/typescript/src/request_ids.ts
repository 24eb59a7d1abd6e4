// Request ids: with one, a request is carried out once however often it comes.

import { v4 } from "uuid";

/** A UUID of version 4, also where `crypto.randomUUID` is missing: on pages without TLS. A secret. */
export function newRequestId(): string {
  return v4();
}
