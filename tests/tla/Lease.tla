-------------------------------- MODULE Lease --------------------------------
(***************************************************************************)
(* Who may write a ledger: processes that stand by, claim it, renew their   *)
(* lease, append, answer from memory, hang, die, and are taken over from,   *)
(* by a lapsed lease or by force.                                           *)
(*                                                                         *)
(* Every request to the database takes any time, and so does its answer;    *)
(* either may be lost. A process may rest between any two steps: that is    *)
(* one that hangs. Time goes by whole steps, and is kept as what is left of *)
(* a lease, so that no search ends at an hour. One step stands for the      *)
(* tenth of a lease by which a process ends to believe before the database. *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Processes,
    Duration,   \* Of a lease, in steps.
    LastEpoch,  \* How often the ledger is taken over at most.
    LastRecord, \* How many records are appended at most.
    Requests,   \* How many requests and answers are under way at most.
    Planted     \* The mistake that is made, or "none".

VARIABLES
    epoch,      \* At the database: of the last writer.
    left,       \* At the database: what is left of the lease of that writer.
    head,       \* At the database: how many records there are.
    told,       \* How many records clients were told of.
    process,    \* What each process knows.
    network     \* Requests and answers under way.

vars == <<epoch, left, head, told, process, network>>
Database == <<epoch, left, head>>

\* What is left of its belief, and of the time in which it keeps quiet; the records that it knows.
Idle == [role |-> "stands by", epoch |-> 0, believes |-> 0, quiet |-> 0, seen |-> 0]
Dead(e) == [Idle EXCEPT !.role = "died", !.epoch = e]

TypeOK ==
    /\ epoch \in 0..LastEpoch /\ left \in 0..Duration /\ head \in 0..LastRecord
    /\ \A p \in Processes:
        /\ process[p].role \in {"stands by", "writes", "died"}
        /\ process[p].believes \in 0..Duration /\ process[p].quiet \in 0..Duration

Init ==
    /\ epoch = 0 /\ left = 0 /\ head = 0 /\ told = 0
    /\ process = [p \in Processes |-> Idle]
    /\ network = {}

Writes(p) == process[p].role = "writes"
HolderDied == \E p \in Processes: process[p].role = "died" /\ process[p].epoch = epoch

\* A message has an age, which is what its sender's clock says when the answer is there.
Message(what, p, of, ends, quiet) ==
    [what |-> what, process |-> p, age |-> 0, epoch |-> of, ends |-> ends, quiet |-> quiet]
Asks(m) == /\ Cardinality(network) < Requests
           /\ network' = network \union {m}
           /\ UNCHANGED <<Database, told, process>>
Answers(m, answer) == network' = (network \ {m}) \union {[answer EXCEPT !.age = m.age]}
Takes(m) == network' = network \ {m}

\* It counts from when the request was sent, and a step less than the database.
Belief(m) == IF Planted = "believes from the answer on" THEN Duration - 1
             ELSE IF m.age >= Duration - 1 THEN 0 ELSE Duration - 1 - m.age

-----------------------------------------------------------------------------
(* What a process asks. *)

AskToClaim(p) == process[p].role = "stands by" /\ Asks(Message("claim", p, 0, 0, 0))
AskToSeize(p) == process[p].role = "stands by" /\ Asks(Message("seize", p, 0, 0, 0))
AskToRenew(p) == Writes(p) /\ Asks(Message("renew", p, process[p].epoch, 0, 0))
AskToAppend(p) == /\ Writes(p)
                  /\ Asks(Message("append", p, process[p].epoch, process[p].seen, 0))

-----------------------------------------------------------------------------
(* What the database does. *)

TakeOver(m, quiet) ==
    /\ epoch < LastEpoch
    /\ epoch' = epoch + 1 /\ left' = Duration
    /\ Answers(m, Message("taken over", m.process, epoch + 1, head, quiet))
    /\ UNCHANGED <<head, told, process>>

Claim(m) ==
    /\ m.what = "claim"
    /\ left = 0 \/ HolderDied \/ Planted = "claims what is leased"
    /\ TakeOver(m, 0)

\* A writer by force keeps quiet for as long as the one before it may believe.
Seize(m) ==
    /\ m.what = "seize"
    /\ TakeOver(m, IF Planted = "seizes and answers at once" THEN 0 ELSE left)

Renew(m) ==
    /\ m.what = "renew"
    /\ IF m.epoch = epoch
       THEN left' = Duration /\ Answers(m, Message("renewed", m.process, m.epoch, 0, 0))
       ELSE UNCHANGED left /\ Answers(m, Message("fenced", m.process, m.epoch, 0, 0))
    /\ UNCHANGED <<epoch, head, told, process>>

\* Only the last writer appends, and only at the head that it knows.
Append(m) ==
    /\ m.what = "append"
    /\ IF (m.epoch = epoch \/ Planted = "fences nobody") /\ m.ends = head
       THEN /\ head < LastRecord /\ head' = head + 1
            /\ Answers(m, Message("appended", m.process, m.epoch, head + 1, 0))
       ELSE UNCHANGED head /\ Answers(m, Message("fenced", m.process, m.epoch, 0, 0))
    /\ UNCHANGED <<epoch, left, told, process>>

-----------------------------------------------------------------------------
(* What a process does with an answer. *)

Begin(m) ==
    /\ m.what = "taken over" /\ process[m.process].role = "stands by"
    /\ process' = [process EXCEPT ![m.process] =
            [role |-> "writes", epoch |-> m.epoch, believes |-> Belief(m),
             quiet |-> m.quiet, seen |-> m.ends]]
    /\ Takes(m) /\ UNCHANGED <<Database, told>>

Mine(m) == Writes(m.process) /\ process[m.process].epoch = m.epoch

Believe(m) ==
    /\ m.what = "renewed" /\ Mine(m)
    /\ process' = [process EXCEPT ![m.process].believes = IF Belief(m) > @ THEN Belief(m) ELSE @]
    /\ Takes(m) /\ UNCHANGED <<Database, told>>

\* The client is told once the record is there, and not while its writer keeps quiet.
Tell(m) ==
    /\ m.what = "appended" /\ Mine(m) /\ process[m.process].quiet = 0
    /\ process' = [process EXCEPT ![m.process].seen = m.ends]
    /\ told' = IF m.ends > told THEN m.ends ELSE told
    /\ Takes(m) /\ UNCHANGED Database

End(m) ==
    /\ m.what = "fenced" /\ Mine(m) /\ Planted # "ignores that it is fenced"
    /\ process' = [process EXCEPT ![m.process] = Dead(m.epoch)]
    /\ Takes(m) /\ UNCHANGED <<Database, told>>

Die(p) ==
    /\ Writes(p)
    /\ process' = [process EXCEPT ![p] = Dead(process[p].epoch)]
    /\ UNCHANGED <<Database, told, network>>

\* One that died is started again and stands by; nobody answers it what the dead one asked.
StartAgain(p) ==
    /\ process[p].role = "died" /\ process[p].epoch # epoch
    /\ process' = [process EXCEPT ![p] = Idle]
    /\ network' = {m \in network: m.process # p \/ m.what \in {"renew", "append"}}
    /\ UNCHANGED <<Database, told>>

Lose(m) == Takes(m) /\ UNCHANGED <<Database, told, process>>

Less(n) == IF n = 0 THEN 0 ELSE n - 1
Tick ==
    /\ left' = Less(left)
    /\ process' = [p \in Processes |-> [process[p] EXCEPT !.believes = Less(@), !.quiet = Less(@)]]
    /\ network' = {[m EXCEPT !.age = IF @ < Duration THEN @ + 1 ELSE @]: m \in network}
    /\ UNCHANGED <<epoch, head, told>>

Next ==
    \/ Tick
    \/ \E p \in Processes: AskToClaim(p) \/ AskToSeize(p) \/ AskToRenew(p) \/ AskToAppend(p)
    \/ \E p \in Processes: Die(p) \/ StartAgain(p)
    \/ \E m \in network: Claim(m) \/ Seize(m) \/ Renew(m) \/ Append(m)
    \/ \E m \in network: Begin(m) \/ Believe(m) \/ Tell(m) \/ End(m) \/ Lose(m)

Spec == Init /\ [][Next]_vars
Alike == Permutations(Processes)

-----------------------------------------------------------------------------
(* What must hold. *)

\* A process answers from memory while it believes, and once its predecessor does not.
AnswersFromMemory(p) == Writes(p) /\ process[p].believes > 0 /\ process[p].quiet = 0

\* Two never answer at once.
OneAnswers == \A p, q \in Processes: AnswersFromMemory(p) /\ AnswersFromMemory(q) => p = q

\* Whoever answers knows of every record that any client was told of.
NoStaleRead == \A p \in Processes: AnswersFromMemory(p) => process[p].seen >= told

\* Nothing that a client was told of is lost.
NothingLost == told <= head

\* Whoever believes is the last writer, or its successor by force keeps quiet for longer.
BeliefHolds == \A p \in Processes:
    Writes(p) /\ process[p].believes > 0 =>
        \A q \in Processes: Writes(q) /\ process[q].epoch > process[p].epoch
                            => process[q].quiet >= process[p].believes
=============================================================================
