/** Tells whether the Beacon of an approved row of applications is expected, as shared/applications/coming.ts does. */
export const isExpectedRow = `(coming is not false or arrived_at is not null)`
