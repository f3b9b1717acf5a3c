------------------------------ MODULE LeaseTrace ------------------------------
(***************************************************************************)
(* What engines of the real ledger asked of one journal, in the order in    *)
(* which it was done, held against Lease: each answer must be one that the  *)
(* model gives there. Time is not in a trace; any may pass between steps.   *)
(***************************************************************************)
EXTENDS Lease, Sequences, Traces

VARIABLES trace, rest

Start == Init /\ trace \in 1..Len(Traces) /\ rest = Traces[trace]

What == Head(rest).what
Who == Head(rest).who

Asked(what) ==
    Message(what, Who, IF what \in {"renew", "append"} THEN process[Who].epoch ELSE 0,
            IF what = "append" THEN process[Who].seen ELSE 0, 0)

Became(answer) == \E m \in network': m.what = answer

Step ==
    CASE What = "claim" -> Claim(Asked("claim"))
      [] What = "seize" -> Seize(Asked("seize"))
      [] What = "leased" -> left > 0 /\ ~HolderDied /\ UNCHANGED vars
      [] What = "renew" -> Renew(Asked("renew")) /\ Became("renewed")
      [] What = "append" -> Append(Asked("append")) /\ Became("appended")
      [] What = "fenced" -> Renew(Asked("renew")) /\ Became("fenced")
      [] What = "release" -> IF Writes(Who) THEN Die(Who) ELSE UNCHANGED vars

\* An answer arrives before its process asks again.
Arrive == \E m \in network: Begin(m) \/ Believe(m) \/ Tell(m) \/ End(m)

Follow ==
    \/ /\ network = {} /\ rest # << >> /\ Step
       /\ rest' = Tail(rest) /\ UNCHANGED trace
       /\ rest' = << >> => PrintT(<<"accepted", trace>>)
    \/ rest # << >> /\ (Arrive \/ Tick) /\ UNCHANGED <<trace, rest>>

Traced == Start /\ [][Follow]_<<vars, trace, rest>>
===============================================================================
