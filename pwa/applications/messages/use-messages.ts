import { useMemo, useSyncExternalStore } from 'react'
import type { Message } from '#shared/applications/message-calls.ts'
import { messageHoldMs } from '#shared/applications/message.ts'
import { newId } from '#shared/record/new-id.ts'
import { useAccountAnswer, type AccountQuestion } from '../../device/session/account-answers.ts'
import {
  argsOf,
  call,
  describeEntry,
  outbox,
  pendingEntries,
  serverNow,
  type Entry,
  mutations,
  type questions,
} from '../../sync/index.ts'
import { followEventNews } from '../../mail/use-mail-log.ts'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { toastFailure } from '../../ui/forms/failure-toast.ts'

export interface MessageLog {
  readonly messages: readonly Message[]
  readonly devices: readonly { readonly applicationId: number; readonly count: number }[]
}

/** Asked again when the event changes, which every message makes it do, and when the hold of the newest one ends. */
const when = (eventId: number): questions.RefetchOptions<MessageLog> => ({
  visible: true,
  reachable: 'always',
  settleMs: 500,
  news: (changed) => followEventNews(eventId, changed),
  againMs: ({ messages: [newest] }) => {
    const leftMs = newest ? Date.parse(newest.leavesAt) - serverNow().getTime() : -1
    return newest && !newest.cancelledAt && leftMs > 0 && leftMs <= messageHoldMs ? leftMs + 2_000 : null
  },
})

/** Kept on the device: what was written is read without a network, too. */
export function useMessageLog(eventId: number): questions.Answered<MessageLog> {
  const question = useMemo<AccountQuestion<MessageLog>>(
    () => ({
      call: async (signal) => await call('listMessages', { params: { id: eventId }, signal }),
      onDisk: `messages/${eventId}`,
      missingStatuses: [404],
    }),
    [eventId],
  )
  const whenAsked = useMemo(() => when(eventId), [eventId])
  return useAccountAnswer(question, whenAsked)
}

export interface QueuedMessage {
  readonly entry: Entry
  readonly args: mutations.SendMessage
}

const none: readonly QueuedMessage[] = []

export const needsAttention = (entry: Entry) => describeEntry(entry).syncState === 'needs-attention'

/** Lists what waits on this device, newest first. */
export function useQueuedMessages(eventId: number): {
  readonly queued: readonly QueuedMessage[]
  /** These messages are being taken back, and the server has not said yet that no one received them. */
  readonly cancelling: ReadonlySet<number>
} {
  const { account } = useSyncExternalStore(pendingEntries.subscribe, pendingEntries.get)
  return useMemo(() => {
    const queued = account.flatMap((entry): QueuedMessage[] => {
      const args = argsOf(entry, mutations.sendMessage)
      return args?.eventId === eventId ? [{ entry, args }] : []
    })
    const cancelling = account.flatMap((entry) =>
      needsAttention(entry) ? [] : (argsOf(entry, mutations.cancelMessage)?.id ?? []),
    )
    return { queued: queued.length > 0 ? queued.toReversed() : none, cancelling: new Set(cancelling) }
  }, [account, eventId])
}

/** Queued and held for eight seconds; a toast offers to undo it. */
export async function queueMessage(
  message: Omit<mutations.SendMessage, 'id' | 'writtenAt'>,
  userId: number | null,
): Promise<void> {
  const args = { ...message, id: newId(), writtenAt: serverNow().toISOString() }
  const { seq } = await outbox.enqueue(mutations.sendMessage, args, { userId })
  const count = message.applicationIds.length
  toast({
    title: 'Message saved',
    description: `It will be sent automatically to ${count === 1 ? '1 person' : `${count} people`}.`,
    action: { label: 'Undo', onClick: () => void undoMessage(seq, args, userId) },
  })
}

/** Removes it from the queue, or asks the server to stop it, which holds it for a minute. */
export async function undoMessage(
  seq: number,
  { id, eventId, eventName }: Pick<mutations.SendMessage, 'id' | 'eventId' | 'eventName'>,
  userId: number | null,
): Promise<void> {
  try {
    if ((await outbox.undo(seq)) === 'undone') announce('The message was not sent.')
    else await takeMessageBack({ id, eventId, eventName }, userId)
  } catch (error) {
    toastFailure('Not undone', error)
  }
}

export async function takeMessageBack(
  { id, eventId, eventName }: Pick<mutations.SendMessage, 'id' | 'eventId' | 'eventName'>,
  userId: number | null,
): Promise<void> {
  await outbox.enqueue(mutations.cancelMessage, { id, eventId, eventName }, { userId })
  announce('The message is being taken back.')
}
