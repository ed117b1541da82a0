import type { Organizer } from '../../sync-server/bench/stage.ts'

/** What the queue keeps of an approval of a pending applicant. */
export const approvalOf = ({ eventId }: Pick<Organizer, 'eventId'>, applicationId: number) => ({
  applicationId,
  eventId,
  name: 'Bea Moss',
  status: 'approved' as const,
  from: 'pending' as const,
  basis: null,
})
