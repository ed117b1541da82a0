import type { RouteCall } from './call.ts'
import { handlerOf, type AnyHandler, type DocumentRouteName, type Handlers } from './handler.ts'
import type { ProblemError } from './problems.ts'

/** The later calls of a lane are not made after a refusal. */
export interface LaneCall {
  readonly name: DocumentRouteName
  readonly lane: string
  readonly call: RouteCall
  /** Refuses the call unread. */
  readonly problem?: ProblemError
}

/** A transaction's most calls: its commit is cheap for each, and its locks delay no other call for long. */
const groupSize = 100

/**
 * Cuts calls into groups that share a transaction, and groups into runs that a handler makes at once. A run has each lane
 * and target once, a group each key. Visitors' calls and those with slow work or `find` are alone.
 */
export function groupsOf(handlers: Handlers, calls: readonly LaneCall[]): LaneCall[][][] {
  const groups: LaneCall[][][] = []
  let keys = new Set<string | null>()
  let inRun = new Set<string>()
  let wasAlone = true
  for (const laneCall of calls) {
    const { name, lane, call, problem } = laneCall
    const handler: AnyHandler = problem ? {} : handlerOf(handlers, name)
    const isAlone = !call.caller || handler.before !== undefined || handler.find !== undefined
    let group = groups.at(-1)
    if (!group || isAlone || wasAlone || keys.size === groupSize || keys.has(call.key)) {
      group = []
      groups.push(group)
      keys = new Set()
    }
    wasAlone = isAlone
    keys.add(call.key)
    const run = group.at(-1)
    const marks = [`lane ${lane}`, JSON.stringify(call.params)]
    const isJoining =
      handler.makeMany !== undefined && run?.[0]?.name === name && !marks.some((mark) => inRun.has(mark))
    if (isJoining) run?.push(laneCall)
    else group.push([laneCall])
    if (!isJoining) inRun = new Set()
    for (const mark of marks) inRun.add(mark)
  }
  return groups
}
